import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import type { CollateralRecord } from '../../../src/shared/collateral-record.ts'
import { KEY, ticking } from './examples.ts'
import { editFile, replaceRows } from './tampered-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function withStore<T>(work: (store: Store) => T): T {
  const store = createStore({ folder, key: KEY, now: ticking() })
  try {
    return work(store)
  } finally {
    store.close()
  }
}
const genoa = (version: number, list = 'AAAA'): CollateralRecord => ({ name: 'amd-crl/Genoa', version, list })

test('the newest record of each name outlives a restart', () => {
  withStore((store) => {
    expect(store.collateral.newest()).toEqual([])
    store.collateral.record([genoa(5), { name: 'intel-qe-identity', version: 18 }])
    store.collateral.record([{ name: 'amd-crl/Turin', version: 2, list: 'AQID' }])
  })
  expect(withStore((store) => store.collateral.newest())).toEqual([
    genoa(5),
    { name: 'amd-crl/Turin', version: 2, list: 'AQID' },
    { name: 'intel-qe-identity', version: 18 },
  ])
})

test('an older record never replaces a newer one, in any order and across restarts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      (sessions) => {
        let newest = -1
        for (const versions of sessions) {
          withStore((store) => {
            store.collateral.record(versions.map((version) => genoa(version)))
            newest = Math.max(newest, ...versions)
            expect(store.collateral.newest()).toEqual(newest < 0 ? [] : [genoa(newest)])
          })
        }
        rmSync(join(folder, 'sotto.db'), { force: true })
      },
    ),
    { numRuns: 15 },
  )
})

test('of two records of the same version the later one counts', () => {
  expect(
    withStore((store) => {
      store.collateral.record([genoa(5), genoa(5, 'BBBB')])
      return store.collateral.newest()
    }),
  ).toEqual([genoa(5, 'BBBB')])
})

test('a removed row is reported, and then nothing is known of its name', () => {
  withStore((store) => store.collateral.record([genoa(5)]))
  replaceRows(folder, 'collateral', [])
  withStore((store) => {
    expect(store.integrity.changes()).toEqual([{ table: 'collateral', rows: -1 }])
    expect(store.collateral.newest()).toEqual([])
  })
})

test('a record that is given another name is refused', () => {
  withStore((store) => store.collateral.record([genoa(5)]))
  editFile(folder, (database) => database.exec("UPDATE collateral SET name = 'amd-crl/Turin'"))
  expect(() => withStore((store) => store.collateral.newest())).toThrow(
    expect.objectContaining({ code: 'store/damaged' }),
  )
})

test('lists are sealed in the file', () => {
  withStore((store) => store.collateral.record([genoa(5, Buffer.from('canary list').toString('base64'))]))
  expect(readFileSync(join(folder, 'sotto.db')).includes(Buffer.from('canary list').toString('base64'))).toBe(
    false,
  )
})
