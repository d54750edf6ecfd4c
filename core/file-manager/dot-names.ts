/**
 * Files and folders whose names start with a dot are neither shown nor changed, except with the folder that they are
 * in. Programs keep settings and keys there (`.ssh`, `.bashrc`): a user who could write them could run programs as the
 * server's user.
 */

/** A name that begins with a dot. HFS+ ignores some characters: there, such characters and `.ssh` mean `.ssh`. */
const dotName = /^[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*\./

export function isDotName(name: string): boolean {
  return dotName.test(name)
}

/** Like `isDotName`, for a name on the disk, one character per byte. */
export function isDotRaw(raw: string): boolean {
  // In UTF-8 the ignored characters start with 0xe2 or 0xef.
  return raw.startsWith('.') || (raw.charCodeAt(0) >= 0xe2 && isDotName(Buffer.from(raw, 'latin1').toString('utf8')))
}
