/** Something that has to be read before it goes on. */
import { useDesk } from '../desk-context.ts'
import { Frame } from './frame.tsx'

export function MessageDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const { t, told } = useDesk()
  return (
    <Frame
      title={t('message')}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <button type="submit" className="btn btn-primary">
          {t('close')}
        </button>
      }
    >
      <p dir="auto">{told(text)}</p>
    </Frame>
  )
}
