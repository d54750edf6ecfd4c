/**
 * Where the licences of the executable's contents can be read. From source there is none: the build replaces this
 * module.
 */

/** A path for `Bun.file`; the text is UTF-8. */
export const noticesFile: string | null = null
