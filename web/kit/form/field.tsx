/** A form field: label, input, and a line for the hint or the error, so that nothing moves. */
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface HintProps {
  id: string
  hint?: ReactNode
  fault: string | null | undefined
}

export function FieldHint({ id, hint = '', fault }: HintProps) {
  const bad = fault != null
  return (
    <span id={id} className={`hint ${bad ? 'bad' : ''}`} role={bad ? 'alert' : undefined}>
      {bad && <CircleAlert size={14} className="shrink-0" aria-hidden="true" />}
      {bad ? <span>{fault}</span> : hint}
    </span>
  )
}

export function Field({
  label,
  hint = '',
  fault,
  mono = false,
  ...input
}: {
  label: string
  /** Null reserves no space for a hint or an error. */
  hint?: ReactNode
  fault?: string | undefined
  mono?: boolean
} & ComponentProps<'input'>) {
  const id = useId()
  const bad = fault !== undefined
  return (
    <div className="field min-w-0">
      <span>
        <label htmlFor={id}>{label}</label>
      </span>
      <input
        dir={mono ? 'ltr' : undefined}
        {...input}
        id={id}
        className={`input w-full ${bad ? 'input-error' : ''} ${mono ? 'font-mono' : ''}`}
        aria-invalid={bad}
        aria-describedby={hint === null ? undefined : `${id}-hint`}
      />
      {hint !== null && <FieldHint id={`${id}-hint`} hint={hint} fault={fault} />}
    </div>
  )
}
