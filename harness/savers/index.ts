// `deltaproof/savers`: what a program of one's own imports.

export { UniqueVersionsSaver } from './unique-versions.js';
export { OrderedSaver, type NotProvableOrder } from './ordered.js';
