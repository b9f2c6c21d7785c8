// `deltaproof/savers`: what a program of one's own imports.

export { defineSaver, type OpenedSaver, type ReportedStorage, type SaverModule } from './own-saver.js';
export { UniqueVersionsSaver } from './unique-versions.js';
export { OrderedSaver, type NotProvableOrder } from './ordered.js';
