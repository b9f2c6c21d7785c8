export interface WalMeter {
  sample(): void;
  readonly frames: number;
  readonly peakBytes: number;
  readonly exact: boolean;
  close(): void;
}
