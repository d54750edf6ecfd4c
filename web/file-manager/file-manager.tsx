/** The file manager: one folder at a time, with all actions. Depends only on a driver, not on the page around it. */
import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useEffect, useState } from 'react'
import { fileWidget } from '../../schema/limits.ts'
import { ContextMenu } from './context-menu.tsx'
import { createController } from './controller.ts'
import { ControllerContext } from './controller-context.ts'
import { Dialogs } from './dialogs/dialogs.tsx'
import type { Driver } from './driver.ts'
import { Explorer } from './list/explorer.tsx'
import { isForPage, isTyping } from './list/keys.ts'
import type { FileManagerOptions } from './options.ts'
import { PathBar } from './path-bar.tsx'
import { StatusBar } from './status-bar.tsx'
import { Toasts } from './toasts.tsx'
import { ToolBar } from './tool-bar.tsx'
import { useStyle } from './use-style.ts'

/** Below a width of `some`, the widget hides labels; below `little`, it has its phone layout. */
const breakpoints = { some: 820, little: 600 }

/** The widget's own width, independent of the window's. */
function useWidthClass() {
  const [widthClass, setWidthClass] = useState<'little' | 'some' | 'much'>('much')
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    const read = () => {
      const { clientWidth: width } = element
      setWidthClass(width < breakpoints.little ? 'little' : width < breakpoints.some ? 'some' : 'much')
    }
    const observer = new ResizeObserver(read)
    observer.observe(element)
    read()
    return () => observer.disconnect()
  }, [])
  return { ref, widthClass }
}

/** `driver`: the file store, unless it is a server with the protocol at `url`. */
export function FileManager({ driver: own, ...options }: FileManagerOptions & { driver?: Driver }) {
  useSignals()
  const [controller] = useState(() => createController(options, own))
  const styled = useStyle()
  const { ref, widthClass } = useWidthClass()
  useEffect(() => {
    controller.update(options)
  })
  useEffect(() => {
    void controller.begin()
    return () => controller.end()
  }, [controller])
  const { preferences, t, driver } = controller
  if (!styled) return null
  const isFull = preferences.fullScreen.value && !driver.onlyFolders
  return (
    <ControllerContext value={controller}>
      <section
        ref={ref}
        className="fm"
        data-room={widthClass}
        dir={preferences.direction.value}
        lang={preferences.locale.value}
        aria-label={t('fileManager')}
        aria-busy={controller.loading.value}
        data-theme={preferences.dark.value ? 'keepsake-dark' : 'keepsake-light'}
        data-full={isFull}
        data-only={driver.onlyFolders ? 'folders' : undefined}
        style={isFull ? undefined : { height: options.maxHeight ?? fileWidget.maxHeight }}
        onKeyDown={event => {
          if (isForPage(event, driver.onlyFolders)) return
          event.stopPropagation()
          if (event.key === 'Escape' && !event.defaultPrevented && isFull && controller.dialog.peek() === null) {
            event.preventDefault()
            preferences.toggleFullScreen()
          } else if (event.key === '/' && !isTyping(event.target)) {
            event.preventDefault()
            event.currentTarget.querySelector<HTMLElement>('.fm-search input')?.focus()
          }
        }}
      >
        {!driver.onlyFolders && <ToolBar />}
        <PathBar />
        <Explorer />
        <StatusBar />
        <ContextMenu />
        <Dialogs />
        {controller.dialog.value === null && <Toasts />}
      </section>
    </ControllerContext>
  )
}
