// Names of file systems by the magic numbers that Linux gives in statfs(2).

/** From linux/magic.h and the sources of those that are not listed there. */
const NAMES: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0xca451a4e: 'bcachefs',
  0x2fc12fc1: 'zfs',
  0xf2f52010: 'f2fs',
  0x01021994: 'tmpfs',
  0x858458f6: 'ramfs',
  0x794c7630: 'overlayfs',
  0x65735546: 'fuse',
  0x01021997: '9p',
  0x6969: 'nfs',
  0xff534d42: 'cifs',
  0xfe534d42: 'smb2',
  0x00c36400: 'ceph',
  0x4d44: 'vfat',
  0x2011bab0: 'exfat',
  0x7366746e: 'ntfs3',
};

const IN_MEMORY = ['tmpfs', 'ramfs'];
const OVER_A_NETWORK = ['nfs', 'cifs', 'smb2', 'ceph', '9p'];

export interface FileSystem {
  /** Null where the number is not a known one. */
  readonly name: string | null;
  readonly isMemory: boolean;
  /** Shared with another machine, also with that around a virtual one. */
  readonly isNetwork: boolean;
}

/** @param magic `type` of Node's statfs, on Linux. */
export function fileSystemOf(magic: number): FileSystem {
  // A 32-bit number that some systems extend with its sign.
  const name = NAMES[magic >>> 0] ?? null;
  return {
    name,
    isMemory: name !== null && IN_MEMORY.includes(name),
    isNetwork: name !== null && OVER_A_NETWORK.includes(name),
  };
}
