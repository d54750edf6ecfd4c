/** A QR code: black on white in both themes, with the white margin that scanners need. */
import qrcode from 'qrcode-generator'
import { useMemo } from 'react'

/** Modules. */
const margin = 4

export function QrCode({ text, size, label }: { text: string; size: number; label: string }) {
  const { path, count } = useMemo(() => {
    const code = qrcode(0, 'M')
    code.addData(text)
    code.make()
    const modules = code.getModuleCount()
    let drawn = ''
    for (let row = 0; row < modules; row++) {
      for (let column = 0; column < modules; column++)
        if (code.isDark(row, column)) drawn += `M${column} ${row}h1v1h-1z`
    }
    return { path: drawn, count: modules }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      width={size + 32}
      height={size + 32}
      viewBox={`${-margin} ${-margin} ${count + 2 * margin} ${count + 2 * margin}`}
      className="rounded-(--radius-field)"
      shapeRendering="crispEdges"
    >
      <rect x={-margin} y={-margin} width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
