/** Path of the licences of the executable's contents. None when running from source; the build replaces this module. */

/** A path for `Bun.file`; the text is UTF-8. */
export const noticesFile: string | null = null
