/** Where the licences of the executable's contents are. None from source: the build replaces this module. */

/** A path for `Bun.file`; the text is UTF-8. */
export const noticesFile: string | null = null
