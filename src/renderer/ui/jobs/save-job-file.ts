import type { Job, JobFile } from '../../../shared/job.ts'
import { api } from '../api.ts'
import { saveLinked } from '../save-file.ts'

/** Saves a file with the system's dialog. Throws what `studio.link` throws. */
export async function saveJobFile(
  { id: jobId }: Pick<Job, 'id'>,
  { index, name }: Pick<JobFile, 'index' | 'name'>,
): Promise<void> {
  const { path } = await api.studio.link({ jobId, index, download: true })
  await saveLinked(name, path)
}

/** One ZIP file with a folder for each job. Throws what `studio.export` throws. */
export async function exportJobs(jobIds: readonly string[]): Promise<void> {
  const { path, name } = await api.studio.export({ jobIds: [...jobIds] })
  await saveLinked(name, path)
}
