/** Where the licences of what the executable carries can be read. From source there is none: the build swaps this module. */

/** A path for `Bun.file`; the text is UTF-8. */
export const noticesFile: string | null = null
