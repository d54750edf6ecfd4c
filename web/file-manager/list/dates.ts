/** Formats when a file was last changed. Pure. */

/** Day and time in the language's format; '' for 0, the value of folders without a time. */
export function modifiedText(seconds: number, intl: string | undefined, long = false): string {
  if (seconds === 0) return ''
  const style = { dateStyle: long ? 'long' : 'medium', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat(intl, style).format(new Date(seconds * 1000))
}
