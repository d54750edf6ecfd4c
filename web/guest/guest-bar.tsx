/** The bar over the page of a link. */
import { product } from '../../schema/limits.ts'
import { Logo } from '../app/logo.tsx'

export function GuestBar() {
  return (
    <div className="guest-bar">
      <Logo />
      <span className="text-base font-semibold">{product}</span>
    </div>
  )
}
