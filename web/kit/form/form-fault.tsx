/** The error of a form as a whole, in reserved space; it disappears after a while. */
import { CircleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'

/** A text that clears itself after `ms` milliseconds. */
export function useTemporaryText(ms: number): [string, (text: string) => void] {
  const [announced, setAnnounced] = useState({ text: '', at: 0 })
  useEffect(() => {
    if (announced.text === '') return
    const timer = setTimeout(() => setAnnounced({ text: '', at: 0 }), ms)
    return () => clearTimeout(timer)
  }, [announced, ms])
  return [announced.text, text => setAnnounced({ text, at: Date.now() })]
}

export function Fault({ text }: { text: string }) {
  return (
    <p className="min-h-6 text-error flex items-center gap-2" role="alert">
      {text !== '' && <CircleAlert size={16} className="shrink-0" />}
      {text}
    </p>
  )
}
