/**
 * Whether a path serves a file (`/media/…`). A token in the path authorizes the request, because a media
 * player or an image can't send one.
 */
export function isMediaPath(pathname: string): boolean {
  return pathname.startsWith('/media/')
}

/**
 * Whether a path receives a file (`/upload/…`), whose bytes are PUT there once. studioContract issues the
 * path.
 */
export function isUploadPath(pathname: string): boolean {
  return pathname.startsWith('/upload/')
}

/** Whether a path is one of the two, and no procedure of the contract. */
export function isFilePath(pathname: string): boolean {
  return isMediaPath(pathname) || isUploadPath(pathname)
}
