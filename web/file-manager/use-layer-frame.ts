/** The file manager's theme and language, for its dialogs and menus. */
import type { LayerFrame } from '../kit/layers/layer-frame.ts'
import { useController } from './controller-context.ts'

/** Reads signals, so components that use this must call `useSignals`. */
export function useLayerFrame(): LayerFrame {
  const { t, preferences } = useController()
  return {
    theme: preferences.dark.value ? 'keepsake-dark' : 'keepsake-light',
    dir: preferences.direction.value,
    lang: preferences.locale.value,
    closeText: t('close'),
  }
}
