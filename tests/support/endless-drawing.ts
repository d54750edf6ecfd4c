/** A picture that takes too long to wait for. */

/** Ten drawings of ten drawings of …: a few hundred bytes that take librsvg hours. */
export function endlessDrawing(): string {
  const levels = Array.from(
    { length: 5 },
    (_, level) => `<g id="a${level + 1}">${`<use xlink:href="#a${level}"/>`.repeat(10)}</g>`,
  )
  const circle =
    '<circle id="a0" cx="200" cy="200" r="190" fill="none" stroke="red" stroke-width="100" stroke-dasharray="1 1"/>'
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="400" height="400"><defs>${circle}${levels.join('')}</defs><use xlink:href="#a5"/></svg>`
}
