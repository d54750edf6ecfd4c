/** Toasts: shown for five seconds or until clicked. */
import { useSignals } from '@preact/signals-react/runtime'
import { Check, CircleAlert } from 'lucide-react'
import { useController } from './controller-context.ts'

export function Toasts() {
  useSignals()
  const { toasts, t, preferences } = useController()
  return (
    <section className="fm-toasts" aria-label={t('messages')} aria-live="polite">
      {toasts.list.value.map(({ id, text, isError }) => (
        <button key={id} type="button" className="fm-toast float" title={t('dismiss')} onClick={() => toasts.close(id)}>
          {isError ? (
            <CircleAlert size={20} className="text-error" aria-hidden="true" />
          ) : (
            <Check size={20} className="soft" aria-hidden="true" />
          )}
          <span dir={isError ? preferences.directionOfMessage(text) : preferences.direction.value}>{text}</span>
        </button>
      ))}
    </section>
  )
}
