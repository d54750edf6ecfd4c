/** Loads the code of favourites after the login, because only signed-in users have them. */
import { createPart } from '../../app/loading/part.ts'
import { loadStyle } from '../../kit/load-style.ts'
import style from './favourites.css' with { type: 'file' }

export const { part: favouritesPart, load: loadFavouritesPart } = createPart(async () => {
  const [{ CardHeart, ViewerHeart, toggleFavourites }] = await Promise.all([
    import('./favourites.tsx'),
    loadStyle(style),
  ])
  return { CardHeart, ViewerHeart, toggleFavourites }
})
