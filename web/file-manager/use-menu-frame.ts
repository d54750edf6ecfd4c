/** A menu of the file manager has its theme and language. */
import type { MenuFrame } from '../kit/layers/menu.tsx'
import { useDesk } from './desk-context.ts'

/** Reads signals. */
export function useMenuFrame(): MenuFrame {
  const { t, preferences } = useDesk()
  return {
    theme: preferences.dark.value ? 'keepsake-dark' : 'keepsake-light',
    dir: preferences.direction.value,
    lang: preferences.locale.value,
    closeText: t('close'),
  }
}
