/**
 * Lines bypass Ink, which only lays out a placeholder of two columns for each; the line replaces it in the finished
 * frame. Ink would split every line into characters for every frame (measured: half a megabyte of garbage per key).
 */

/** A private character starts a placeholder, and another one numbers it; no line given to Ink can contain either. */
const first = 0xe000
const from = 0xe100
const most = 6000
const lead = String.fromCharCode(first)

const lines = new Map<string, string>()
const free: number[] = []
let next = 0

/** Returns a placeholder for the line. Call `giveBack` when the line is no longer shown. */
export function standIn(line: string): string {
  const number = free.pop() ?? next++
  // More than any screen has, so Ink gets the line itself.
  if (number >= most) return line
  const token = lead + String.fromCharCode(from + number)
  lines.set(token, line)
  return token
}

export function giveBack(token: string): void {
  if (lines.delete(token)) free.push(token.charCodeAt(1) - from)
}

/** The frame with the lines inserted at their columns. */
export function filled(frame: string): string {
  if (!frame.includes(lead)) return frame
  return frame
    .split('\n')
    .map(row => {
      let output = ''
      let at = 0
      for (let start = row.indexOf(lead); start !== -1; start = row.indexOf(lead, at)) {
        const line = lines.get(row.slice(start, start + 2)) ?? ''
        // A row with placeholders otherwise contains only spaces, so an index in the row is also a screen column.
        if (line !== '') output += start === 0 ? line : `\u001b[${start + 1}G${line}`
        at = start + 2
      }
      return at === 0 ? row : output
    })
    .join('\n')
}
