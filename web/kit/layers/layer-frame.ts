/** Theme and language of a dialog or menu if they are not the page's: in the viewer and the file manager. */
export interface LayerFrame {
  theme: 'keepsake-dark' | 'keepsake-light'
  dir?: 'ltr' | 'rtl'
  lang?: string
  /** For example 'Close'. */
  closeText?: string
}

export const frameAttributes = (frame: LayerFrame | undefined) => ({
  'data-theme': frame?.theme,
  dir: frame?.dir,
  lang: frame?.lang,
})
