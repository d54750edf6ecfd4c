/** One picture or film in the viewer, in a box with its aspect ratio. */
import { useSignals } from '@preact/signals-react/runtime'
import type { CSSProperties, ReactNode } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { mayUpdate } from '../app/rights.ts'
import { rotationOf } from '../items/item-text.ts'
import { namedBoxesOf, RegionBox } from '../items/pictures/regions.tsx'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { fitWithin, type Size, turnedSize } from '../items/pictures/zoom.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { CannotShow } from './cannot-show.tsx'
import { Film } from './film.tsx'
import { largeEdge, Picture } from './picture.tsx'

export interface SlideProps {
  item: Item
  stage: Size
  /** Position relative to the open picture: 0 is that one, negative is before it, positive after it. */
  place: number
  /** Rotation in degrees, clockwise, beyond the picture's own. */
  turn: number
  /** Scale of the zoom when its movement last ended; 1 is not zoomed. */
  scale: number
  regions: boolean
  motion: boolean
  onMotionEnd: () => void
}

/** The zoomed and moved box; the picture inside is rotated, the names of people and objects are not. */
function SlideBox({
  item,
  stage,
  turn,
  regions,
  over,
  children,
}: Pick<SlideProps, 'item' | 'stage' | 'turn' | 'regions'> & { over?: ReactNode; children: ReactNode }) {
  useSignals()
  const question = mayUpdate(item) ? viewerTexts.whoIsThis : undefined
  const fit = fitWithin(turnedSize(item, turn), stage, devicePixelRatio)
  const inner = turnedSize(fit, turn)
  const stand = item.problem === null ? placeholderUrl(item.thumbhash, rotationOf(item)) : null
  const style: CSSProperties = {
    width: inner.width,
    height: inner.height,
    left: (fit.width - inner.width) / 2,
    top: (fit.height - inner.height) / 2,
    transform: turn === 0 ? undefined : `rotate(${turn}deg)`,
    backgroundImage: stand === null ? undefined : `url(${stand})`,
  }
  return (
    <div className="viewer-box" style={{ width: fit.width, height: fit.height }}>
      <div className="viewer-turn" style={style}>
        {children}
      </div>
      {over}
      {regions &&
        namedBoxesOf(item, turn).map(named => {
          const { x, y, width, height } = named.share
          const box = { x: x * fit.width, y: y * fit.height, width: width * fit.width, height: height * fit.height }
          return <RegionBox key={named.key} named={named} box={box} frame={fit} question={question} />
        })}
    </div>
  )
}

/** Whether `large` has too few pixels and the file has more. */
function needsFullSize(item: Item, stage: Size, turn: number, scale: number): boolean {
  const { width, height } = fitWithin(turnedSize(item, turn), stage, devicePixelRatio)
  const seen = Math.max(width, height) * devicePixelRatio * scale
  return Math.max(item.width, item.height) > largeEdge && seen > largeEdge * 1.05
}

export function Slide({ item, stage, place, turn, scale, regions, motion, onMotionEnd }: SlideProps) {
  const open = place === 0
  const box = { item, stage, turn, regions: open && regions }
  return (
    <div
      className="viewer-slide"
      data-open={open ? true : undefined}
      aria-hidden={!open}
      style={{ transform: place === 0 ? undefined : `translateX(calc(${place} * var(--forward) * (100% + 24px)))` }}
    >
      {item.type === 'video' ? (
        // A file that the server cannot decode may still play in this browser.
        <Film
          key={item.id}
          item={item}
          open={open}
          turn={turn}
          frame={(film, over) => (
            <SlideBox {...box} over={over}>
              {film}
            </SlideBox>
          )}
        />
      ) : item.problem !== null ? (
        <CannotShow item={item} reason={serverMessage(item.problem)} />
      ) : (
        <Picture
          key={item.id}
          item={item}
          open={open}
          needsFullSize={open && needsFullSize(item, stage, turn, scale)}
          onMotionEnd={motion ? onMotionEnd : null}
          frame={picture => <SlideBox {...box}>{picture}</SlideBox>}
        />
      )}
    </div>
  )
}
