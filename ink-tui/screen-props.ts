/** Props of every screen. */

export interface ScreenProps {
  /** Columns and rows of the screen's body. */
  width: number
  height: number
  params: Readonly<Record<string, string | number>>
}
