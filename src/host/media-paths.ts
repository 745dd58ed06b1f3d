/** Whether a file goes out by this path (`/media/…`). Each such path is its own authority, since a player and an image can send no token. */
export function isMediaPath(path: string): boolean {
  return path.startsWith('/media/')
}

/** Whether a file comes in by this path (`/upload/…`): its bytes are PUT there once. studioContract gives the path out. */
export function isUploadPath(path: string): boolean {
  return path.startsWith('/upload/')
}
