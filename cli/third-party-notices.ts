/** The licences of the executable's contents. None when running from source; the build replaces this module. */

/** Path of the UTF-8 text. */
export const noticesFile: string | null = null
