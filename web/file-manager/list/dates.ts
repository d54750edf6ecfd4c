/** When a file was last changed, in words. Pure. */

/** A day and a time as the language writes them; '' for 0, which is what folders have that nobody looked at. */
export function dateText(seconds: number, intl: string | undefined, long = false): string {
  if (seconds === 0) return ''
  const style = { dateStyle: long ? 'long' : 'medium', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat(intl, style).format(new Date(seconds * 1000))
}
