/**
 * Lines bypass Ink, which only lays out a placeholder of two columns for each; the line replaces it in the finished
 * frame. Ink would split every line into characters for every frame (measured: half a megabyte of garbage per key).
 */

/** A placeholder is two private characters, a fixed one and a number; no other text that Ink gets contains them. */
const leadCode = 0xe000
const firstNumberCode = 0xe100
const maxLines = 6000
const leadCharacter = String.fromCharCode(leadCode)

const lines = new Map<string, string>()
const freeNumbers: number[] = []
let nextNumber = 0

/** Returns a placeholder for the line. Call `releasePlaceholder` when the line is no longer shown. */
export function placeholderFor(line: string): string {
  const number = freeNumbers.pop() ?? nextNumber++
  // No screen has so many lines; if one did, Ink would get the line itself.
  if (number >= maxLines) return line
  const token = leadCharacter + String.fromCharCode(firstNumberCode + number)
  lines.set(token, line)
  return token
}

export function releasePlaceholder(token: string): void {
  if (lines.delete(token)) freeNumbers.push(token.charCodeAt(1) - firstNumberCode)
}

/** The frame with the lines inserted at their columns. */
export function withLines(frame: string): string {
  if (!frame.includes(leadCharacter)) return frame
  return frame
    .split('\n')
    .map(row => {
      let output = ''
      let at = 0
      for (let start = row.indexOf(leadCharacter); start !== -1; start = row.indexOf(leadCharacter, at)) {
        const line = lines.get(row.slice(start, start + 2)) ?? ''
        // A row with placeholders otherwise contains only spaces, so an index in the row is also a screen column.
        if (line !== '') output += start === 0 ? line : `\u001b[${start + 1}G${line}`
        at = start + 2
      }
      return at === 0 ? row : output
    })
    .join('\n')
}
