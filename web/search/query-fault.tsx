/** A query's syntax error: the message, and the text with the error marked. */
import { CircleAlert } from 'lucide-react'
import type { QueryFault } from '../app/typed-text.ts'

export function QueryFaultText({ fault, id }: { fault: QueryFault; id?: string }) {
  return (
    <div id={id} className="query-fault text-start" role="alert">
      <p className="flex gap-2">
        <CircleAlert size={16} className="shrink-0 mt-0.5 text-error" aria-hidden="true" />
        <span dir="auto">{fault.text}</span>
      </p>
      {fault.line !== null && (
        <p className="font-mono text-xs ps-6 [overflow-wrap:anywhere] whitespace-pre-wrap" dir="ltr">
          {fault.line.before}
          <mark>{fault.line.error}</mark>
          {fault.line.after}
        </p>
      )}
    </div>
  )
}
