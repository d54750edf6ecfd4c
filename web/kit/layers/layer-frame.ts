/** Theme and language of what a dialog or menu belongs to, where these are not the page's: the viewer, the file manager. */
export interface LayerFrame {
  theme: 'keepsake-dark' | 'keepsake-light'
  dir?: 'ltr' | 'rtl'
  lang?: string
  /** 'Close' */
  closeText?: string
}

export const frameAttributes = (frame: LayerFrame | undefined) => ({
  'data-theme': frame?.theme,
  dir: frame?.dir,
  lang: frame?.lang,
})
