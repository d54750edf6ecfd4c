/** Controls for the gallery's view, and for the size of the timeline's pictures. */
import { useSignals } from '@preact/signals-react/runtime'
import { Grid3x3, LayoutDashboard, type LucideIcon, PanelTop, Square, StretchHorizontal } from 'lucide-react'
import { rowHeight, rowHeights, setOptions, view, viewModes } from '../app/options.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { Range } from '../kit/slider.tsx'
import { baseTexts } from '../texts/base.ts'
import { shellTexts } from '../texts/shell.ts'

type ViewMode = (typeof viewModes)[number]

const texts: Record<ViewMode, string> = {
  Paging: baseTexts.paging,
  'Infinite Scroll': baseTexts.infiniteScroll,
  Timeline: baseTexts.timeline,
}
const icons: Record<ViewMode, LucideIcon> = {
  Paging: PanelTop,
  'Infinite Scroll': StretchHorizontal,
  Timeline: LayoutDashboard,
}

export const viewText = (mode: ViewMode) => texts[mode]

/** A slider from the smallest pictures to the largest. */
function SizeSlider({ label }: { label: string }) {
  useSignals()
  const last = rowHeights.length - 1
  const at = last - rowHeights.findIndex(height => height <= rowHeight.value)
  return (
    <Range
      aria-label={label}
      min={0}
      max={last}
      value={at}
      text={at === 0 ? shellTexts.smallByMonth : shellTexts.rowsOfPixels({ height: rowHeight.value })}
      onChange={step => setOptions({ rowHeight: rowHeights[last - step] ?? null })}
    />
  )
}

/** The size of the timeline's pictures, for the options. */
export function RowHeight() {
  return (
    <div className="grid gap-2">
      <p className="text-xs font-semibold" aria-hidden="true">
        {shellTexts.pictureSize}
      </p>
      <div className="flex items-center gap-3">
        <Grid3x3 size={18} aria-hidden="true" />
        <SizeSlider label={shellTexts.pictureSize} />
        <Square size={18} aria-hidden="true" />
      </div>
    </div>
  )
}

/** For the app bar: the view and, in the timeline, the size of its pictures. */
export function ViewChoice() {
  useSignals()
  return (
    <>
      {view.value === 'Timeline' && (
        <div className="bar-size">
          <Grid3x3 size={18} aria-hidden="true" />
          <SizeSlider label={shellTexts.pictureSize} />
          <Square size={18} aria-hidden="true" />
        </div>
      )}
      <fieldset className="bar-views" aria-label={baseTexts.view}>
        {viewModes.map(mode => (
          <IconButton
            key={mode}
            icon={icons[mode]}
            size={18}
            aria-label={texts[mode]}
            title={texts[mode]}
            aria-pressed={mode === view.value}
            onClick={() => setOptions({ view: mode })}
          />
        ))}
      </fieldset>
    </>
  )
}
