/** The viewer for a file's type, and which pictures can be saved. Pure. */

export type ViewerKind = 'text' | 'image' | 'video' | 'audio' | 'pdf' | 'default'

export function viewerFor(type: string): ViewerKind {
  if (type.startsWith('text')) return 'text'
  if (type.startsWith('image/')) return 'image'
  if (type === 'video/mp4') return 'video'
  if (type === 'audio/mpeg') return 'audio'
  if (type === 'application/pdf') return 'pdf'
  return 'default'
}

/** Formats that browsers can write; other pictures would be saved with a wrong extension. */
export const canWritePicture = (type: string): boolean => /^image\/(jpeg|png|webp)$/.test(type)

export const isLink = ({ mime_type: type }: { mime_type: string }): boolean => type === 'inode/symlink'
