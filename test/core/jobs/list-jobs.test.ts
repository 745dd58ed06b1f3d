import { expect, it, onTestFinished } from 'vitest'
import { listJobs } from '../../../src/core/jobs/list-jobs.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import { KEY } from '../storage/examples.ts'
import { job } from '../storage/job-examples.ts'

/** The titles of the found jobs, of which there is one for each title. */
function found(text: string, titles: readonly string[]): (string | undefined)[] {
  const store = createStore({ folder: null, key: KEY, now: () => 1_800_000_000_000 })
  onTestFinished(() => store.close())
  for (const title of titles) store.jobs.put(job(title, { title }))
  return listJobs(store.jobs, { text, limit: 10 }).jobs.map(({ title }) => title)
}

it('ignores case, accents and widths', () => {
  expect(found('CAFE １', ['Café 1', 'Coffee 1'])).toEqual(['Café 1'])
})

it('distinguishes the vowel signs of scripts that require them', () => {
  expect(found('की', ['की', 'का', 'कु'])).toEqual(['की'])
})

it('finds the final form of a Greek letter by the usual form', () => {
  expect(found('δρομοσ', ['ΔΡΟΜΟΣ', 'δρόμος'])).toEqual(['δρόμος', 'ΔΡΟΜΟΣ'])
})
