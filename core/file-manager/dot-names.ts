/**
 * Names that begin with a dot do not exist for the file manager: programs keep their settings and keys under them (`.ssh`,
 * `.bashrc`), and whoever may write those can run programs as the server's user. Deleting or moving a folder takes everything
 * in it along, as any program does.
 */

/** HFS+ compares names without these characters: there, one of them before `.ssh` is `.ssh` too. */
const dotName = /^[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*\./

/** Does a name begin with a dot? As text. */
export function isDotName(name: string): boolean {
  return dotName.test(name)
}

/** The same for a name on the disk, one character a byte. */
export function isDotRaw(raw: string): boolean {
  // The ignored characters begin with 0xe2 or 0xef in UTF-8.
  return raw.startsWith('.') || (raw.charCodeAt(0) >= 0xe2 && isDotName(Buffer.from(raw, 'latin1').toString('utf8')))
}
