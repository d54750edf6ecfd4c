/** Full screen, as far as the browser allows it. */

/** Enters full screen; browsers allow it only while they handle a click. Without it, the pictures fill the window. */
export async function enterFullscreen(): Promise<void> {
  await document.documentElement.requestFullscreen({ navigationUI: 'hide' }).catch(() => {})
}

export function leaveFullscreen(): void {
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {})
}

/** Calls `act` when the user leaves full screen. Returns the function that stops this, and leaves full screen. */
export function onFullscreenLeft(act: () => void): () => void {
  const left = () => {
    if (document.fullscreenElement === null) act()
  }
  document.addEventListener('fullscreenchange', left)
  return () => {
    document.removeEventListener('fullscreenchange', left)
    leaveFullscreen()
  }
}
