/** Files go out by paths of their own, and in: each is its own authority, since a player and an image can send no token. */
export function isMediaPath(path: string): boolean {
  return path.startsWith('/media/')
}

/** Where a file's bytes are PUT, once: studioContract gives the path out. */
export function isUploadPath(path: string): boolean {
  return path.startsWith('/upload/')
}
