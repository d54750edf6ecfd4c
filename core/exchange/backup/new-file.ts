/** Writes new files: backups, and the files restored from them. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Writes a new file that only its owner may read, and flushes it. */
export async function writeNewFile(
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  onPiece: (bytes: number) => void,
): Promise<void> {
  const fd = openSync(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) {
      onPiece(piece.length)
      for (let at = 0; at < piece.length; ) at += writeSync(fd, piece, at)
    }
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
