import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { isPreviewable } from './check-preview.ts'
import styles from './given-preview.module.css'
import type { Picked } from './use-given-file.ts'
import { useLink } from './use-link.ts'

/** A thumbnail of an input image, from the chosen file or from a former job. */
export function GivenPreview({ picked }: { picked: Extract<Picked, { state: 'taken' }> }) {
  const { file, source, name } = picked
  if (file) return <OfFile file={file} name={name} />
  return 'jobId' in source ? <OfJob jobId={source.jobId} index={source.index} name={name} /> : null
}

function OfFile({ file, name }: { file: File; name: string }) {
  const image = useRef<HTMLImageElement>(null)
  const [shown, setShown] = useState<File>()
  useEffect(() => {
    let left = false
    void isPreviewable(file).then((previewable) => {
      if (previewable && !left) setShown(file)
    })
    return () => {
      left = true
    }
  }, [file])
  useEffect(() => {
    if (shown !== file) return
    const address = URL.createObjectURL(file)
    if (image.current) image.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [file, shown])
  // A file that isn't an image has no preview. The form that needs an image reports the problem.
  return shown === file ? (
    <img
      ref={image}
      className={styles.preview}
      alt={t`Preview of ${name}`}
      draggable={false}
      onError={() => setShown(undefined)}
    />
  ) : (
    <span className={styles.preview} />
  )
}

function OfJob({ jobId, index, name }: { jobId: string; index: number; name: string }) {
  const { path } = useLink(jobId, index)
  return path === undefined ? (
    <span className={styles.preview} />
  ) : (
    <img className={styles.preview} src={path} alt={t`Preview of ${name}`} draggable={false} />
  )
}
