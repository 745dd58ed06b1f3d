import { uploadSchema, type Upload } from '../../../shared/job.ts'
import { api } from '../api.ts'
import { isFailure, WindowError } from '../failure.ts'

export interface UploadProgress {
  /** Bytes. */
  readonly sent: number
  readonly of: number
}

/**
 * Uploads a file to the core on this computer; nothing leaves it. XMLHttpRequest is used because `fetch` reports no
 * upload progress. Throws what `studio.upload.begin` throws, studio/upload-…, store/…, and an AbortError if `signal`
 * aborts.
 */
export async function uploadFile(
  file: File,
  {
    signal,
    onProgress,
  }: { readonly signal: AbortSignal; readonly onProgress: (progress: UploadProgress) => void },
): Promise<Upload> {
  const { path } = await api.studio.upload.begin(
    { name: file.name === '' ? 'file' : file.name.slice(-300), size: file.size },
    { signal },
  )
  signal.throwIfAborted()
  const request = new XMLHttpRequest()
  const answered = new Promise<Upload>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded }) =>
      onProgress({ sent: Math.min(loaded, file.size), of: file.size }),
    )
    request.addEventListener('load', () => {
      try {
        resolve(read(request.status, request.responseText))
      } catch (thrown) {
        reject(thrown instanceof Error ? thrown : new WindowError('studio/upload-incomplete'))
      }
    })
    request.addEventListener('error', () => reject(new TypeError('The file could not be handed over.')))
    request.addEventListener('abort', () => reject(new DOMException(undefined, 'AbortError')))
  })
  const stop = () => request.abort()
  signal.addEventListener('abort', stop, { once: true })
  request.open('PUT', path)
  request.send(file)
  return answered.finally(() => signal.removeEventListener('abort', stop))
}

function read(status: number, text: string): Upload {
  const body: unknown = JSON.parse(text)
  if (status === 200) return uploadSchema.parse(body)
  throw new WindowError(isFailure(body) ? body : 'studio/upload-incomplete')
}
