/** The details on a phone: a sheet over the picture that closes when dragged down. */
import { type ComponentProps, useRef } from 'react'
import { useDragDown } from '../kit/layers/use-drag-down.ts'
import { useLayer } from '../kit/layers/use-layer.ts'
import { Details } from './details.tsx'

export function DetailsSheet(props: ComponentProps<typeof Details>) {
  const ref = useRef<HTMLDivElement>(null)
  useLayer(ref, props.onClose)
  const grip = useDragDown(ref, props.onClose)
  return (
    <>
      <div className="absolute inset-0 z-3" onPointerDown={props.onClose} />
      <div ref={ref} className="details-sheet" tabIndex={-1} data-autofocus>
        <div {...grip} className="details-grip" />
        <Details {...props} />
      </div>
    </>
  )
}
