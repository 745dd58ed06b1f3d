export const pathClasses = ['chat', 'embeddings', 'images', 'audio', 'video', 'data', 'other'] as const
export type PathClass = (typeof pathClasses)[number]

const BEGINNINGS: readonly (readonly [string, PathClass])[] = [
  ['/chat/', 'chat'],
  ['/embeddings', 'embeddings'],
  ['/images', 'images'],
  ['/audio', 'audio'],
  ['/videos', 'video'],
  ['/data', 'data'],
]

/** A receipt's path without what a caller may have put into it. */
export function pathClass(path: string): PathClass {
  const from = path.startsWith('/v1/') ? 3 : 0
  return BEGINNINGS.find(([beginning]) => path.startsWith(beginning, from))?.[1] ?? 'other'
}
