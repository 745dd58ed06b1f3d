import { expect, it } from 'vitest'
import { requireOneZip } from '../../../src/core/jobs/export-jobs.ts'
import type { JobFile } from '../../../src/shared/job.ts'

const file = (bytes: number, index = 1): JobFile => ({
  index,
  role: 'made',
  name: 'clip.mp4',
  type: 'video/mp4',
  bytes,
})
const refused: unknown = expect.objectContaining({ code: 'request/invalid' })

it('makes one file of what fits into a ZIP file’s 32 bits, and refuses more before anything is written', () => {
  expect(() =>
    requireOneZip([{ files: [file(2_000_000_000), file(2_000_000_000, 2)] }, { files: [] }]),
  ).not.toThrow()
  expect(() => requireOneZip([{ files: [file(2_200_000_000)] }, { files: [file(2_200_000_000)] }])).toThrow(
    refused,
  )
  expect(() =>
    requireOneZip(
      Array.from({ length: 700 }, () => ({
        files: Array.from({ length: 100 }, (_, index) => file(1, index)),
      })),
    ),
  ).toThrow(refused)
})
