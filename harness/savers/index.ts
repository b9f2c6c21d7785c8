// `deltaproof/savers`: what a program of one's own imports.

export { OrderedSaver, type NotProvableOrder } from './ordered.js';
