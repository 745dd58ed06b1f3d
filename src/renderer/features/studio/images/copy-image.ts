import { api, ownBytes } from '../../../ui/api.ts'
import { copyItem } from '../../../ui/clipboard.ts'

/** Puts an image on the clipboard, as PNG, which is what clipboards take. Throws what its calls throw. */
export async function copyImage(jobId: string, index: number): Promise<void> {
  await copyItem(new ClipboardItem({ 'image/png': pngOf(jobId, index) }))
}

async function pngOf(jobId: string, index: number): Promise<Blob> {
  const { path } = await api.studio.link({ jobId, index })
  const blob = await ownBytes(path)
  if (blob.type === 'image/png') return blob
  const bitmap = await createImageBitmap(blob)
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => {
      if (png) resolve(png)
      else reject(new TypeError())
    }, 'image/png'),
  )
}
