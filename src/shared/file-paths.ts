/** Whether a path hands out a file (`/media/…`). Each such path carries its own authority, since a player or an image can send no token. */
export function isMediaPath(pathname: string): boolean {
  return pathname.startsWith('/media/')
}

/** Whether a path takes in a file (`/upload/…`): its bytes are PUT there once. studioContract gives out the path. */
export function isUploadPath(pathname: string): boolean {
  return pathname.startsWith('/upload/')
}

/** Whether a path is one of the two, and no procedure of the contract. */
export function isFilePath(pathname: string): boolean {
  return isMediaPath(pathname) || isUploadPath(pathname)
}
