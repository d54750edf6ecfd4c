/** What every screen is given. */

export interface ScreenProps {
  /** Columns and rows that the screen has to itself. */
  width: number
  height: number
  params: Readonly<Record<string, string | number>>
}
