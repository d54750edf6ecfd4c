/** Text in HTML, as content or as a quoted attribute. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
