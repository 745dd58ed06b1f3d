import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, type Store } from '../../../src/core/storage/index.ts'
import { migrations } from '../../../src/core/storage/migrations/index.ts'
import { KEY, OTHER_KEY, proof, receipt, ticking, verdict } from './examples.ts'
import { HASH, payment, topup } from './payment-examples.ts'

let root = ''
let folder = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-store-'))
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = (key = KEY) => createStore({ folder, key, now: ticking() })
const path = () => join(folder, 'sotto.db')
const damaged: unknown = expect.objectContaining({ code: 'store/damaged' })

function fill(store: Store): { conversationId: string; messageId: string } {
  const { id: conversationId } = store.conversations.create({
    title: 'canary title',
    private: true,
    model: 'private/canary-model',
  })
  const { id: messageId } = store.messages.add({
    conversationId,
    role: 'assistant',
    text: 'canary text',
    reasoning: 'canary reasoning',
    state: 'streaming',
    model: 'private/canary-model',
    privacy: 'sealed',
    receiptId: 'r',
    errorCode: 'canary-code',
  })
  store.messages.update(messageId, { text: 'canary text that is longer'.repeat(500) })
  store.conversations.rename(conversationId, 'canary other title')
  store.receipts.put(receipt('r', { code: 'canary-code' }))
  store.receipts.flush()
  const { id: keyId } = store.localKeys.add({
    name: 'canary key name',
    hash: 'aa'.repeat(32),
    limits: { budget: { picoUsd: 314_159_265_358n, period: 'day' } },
  })
  store.spending.hold(keyId, 1, 271_828_182_845n)
  store.spending.settle(keyId, 1, 0n, 271_828_182_845n)
  store.spending.hold(keyId, 1, 271_828_182_845n)
  store.keyUse.note(keyId, 161_803_398_874)
  store.settings.set('profile', 'canary-profile')
  store.verdicts.record(verdict('canary-digest', 20))
  store.verifiedEnclaves.record(verdict('canary-digest', 20), proof(verdict('canary-digest', 20)))
  store.payments.put(payment('payment-1', { state: 'paid' }))
  store.topups.put(topup('topup-1'))
  return { conversationId, messageId }
}

const asText = (value: unknown) =>
  JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? String(member) : member))

/** Changes the database from outside while the store is closed. */
function edit(sql: string): void {
  const database = new DatabaseSync(path())
  database.exec(sql)
  database.close()
}

describe('at rest', () => {
  test('no word of the content is in any file, and nobody else may read them', () => {
    const store = open()
    const scan = () => {
      const names = readdirSync(folder)
      for (const name of names) {
        const bytes = readFileSync(join(folder, name)).toString('latin1')
        for (const canary of [
          'canary',
          'private/',
          '314159265358',
          '271828182845',
          '161803398874',
          '2718281828',
          HASH,
          Buffer.from(HASH, 'hex').toString('latin1'),
          'fe'.repeat(32),
          Buffer.from('fe'.repeat(32), 'hex').toString('latin1'),
          '31415',
          Buffer.from('canary').toString('base64').slice(0, 7),
          Buffer.from(KEY).toString('latin1'),
        ]) {
          expect(bytes.includes(canary), `${canary} in ${name}`).toBe(false)
        }
        expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600)
      }
      return names
    }
    const { conversationId } = fill(store)
    expect(scan()).toEqual(['sotto.db', 'sotto.db-shm', 'sotto.db-wal'])
    store.conversations.remove(conversationId)
    scan()
    store.close()
    expect(scan()).toEqual(['sotto.db'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('the scan would find it: what is plain by intent is there', () => {
    const store = open()
    fill(store)
    store.close()
    const bytes = readFileSync(path()).toString('latin1')
    expect(bytes).toContain('streaming')
    expect(bytes).toContain('aa'.repeat(32))
    expect(bytes).toContain('payment-1')
  })

  test('of receipts that is their ids, times, keys and pages', () => {
    const store = open()
    fill(store)
    store.close()
    const database = new DatabaseSync(path(), { readOnly: true })
    expect(database.prepare('SELECT * FROM receipts').all()).toEqual([
      { seq: 1, id: 'r', at: 1_800_000_000_000, key_id: 'key-1', page: 1, position: 0 },
    ])
    expect(database.prepare('SELECT seq, typeof(body) AS body FROM receipt_pages').all()).toEqual([
      { seq: 1, body: 'blob' },
    ])
    database.close()
  })

  test('a file that others could read no longer is when opened', () => {
    open().close()
    writeFileSync(join(root, 'loose'), readFileSync(path()), { mode: 0o644 })
    rmSync(path())
    writeFileSync(path(), readFileSync(join(root, 'loose')), { mode: 0o644 })
    open().close()
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })
})

describe('what somebody changed in the file', () => {
  test('does not open in another place, nor as another’s', () => {
    const store = open()
    const { conversationId } = fill(store)
    const other = store.conversations.create({ title: 'public', private: false, model: 'y' })
    store.settings.set('limit', 'low')
    store.receipts.put(receipt('s'))
    const [enclave] = store.verifiedEnclaves.of('enclave.example')
    store.close()
    edit(`
      UPDATE messages SET conversation_id = '${other.id}';
      UPDATE conversations SET body = (SELECT body FROM conversations WHERE id = '${other.id}') WHERE id = '${conversationId}';
      UPDATE settings SET body = (SELECT body FROM settings WHERE name = 'profile') WHERE name = 'limit';
      UPDATE receipts SET (page, position) = (SELECT page, position FROM receipts WHERE id = 'r') WHERE id = 's';
      UPDATE local_keys SET hash = '${'cc'.repeat(32)}';
      UPDATE spending_days SET key_id = 'another';
      UPDATE key_use SET key_id = 'another';
      UPDATE enclaves SET host = 'other.example';
      UPDATE verified_enclaves SET host = 'other.example';
    `)
    const changed = open()
    expect(() => changed.messages.of(other.id)).toThrow(damaged)
    expect(() => changed.conversations.get(conversationId)).toThrow(damaged)
    expect(
      changed.conversations.list().map(({ id, title, damaged: broken = false }) => [id, title, broken]),
    ).toEqual([
      [other.id, 'public', false],
      [conversationId, '', true],
    ])
    expect(() => changed.settings.get('limit')).toThrow(damaged)
    expect(() => changed.receipts.get('s')).toThrow(damaged)
    expect(() => changed.receipts.list(10)).toThrow(damaged)
    expect(() => changed.localKeys.findByHash('cc'.repeat(32))).toThrow(damaged)
    expect(() => changed.spending.spent('another')).toThrow(damaged)
    expect(() => changed.keyUse.of('another')).toThrow(damaged)
    expect(() => changed.verdicts.newestRelease('other.example')).toThrow(damaged)
    expect(() => changed.verifiedEnclaves.of('other.example')).toThrow(damaged)
    expect(() => changed.verifiedEnclaves.proof(enclave?.id ?? '')).toThrow(damaged)
    expect(changed.settings.get('profile')).toBe('canary-profile')
    changed.close()
  })

  test.each([
    ['position', 'UPDATE receipts SET position = 1 - position WHERE page = 1', 2],
    ['page', 'UPDATE receipts SET page = 3 - page', 4],
    ['position that is not there', 'UPDATE receipts SET position = position + 2', 4],
    ['position before the first', 'UPDATE receipts SET position = -1', 4],
    ['page that is not there', 'UPDATE receipts SET page = 0', 4],
    ['id', "UPDATE receipts SET id = 'a-' || id", 4],
    [
      'page in the place of another',
      'UPDATE receipt_pages SET seq = -seq; UPDATE receipt_pages SET seq = seq + 3',
      4,
    ],
    [
      'page that is cut',
      'UPDATE receipt_pages SET body = substr(body, 1, length(body) - 1) WHERE seq = 1',
      2,
    ],
    ['page that is gone', 'DELETE FROM receipt_pages WHERE seq = 2', 2],
  ])('names no receipt by another %s', (_what, sql, refused) => {
    const store = open()
    const ids = ['1-0', '1-1', '2-0', '2-1']
    for (const id of ids) {
      store.receipts.put(receipt(id))
      if (id.endsWith('1')) store.receipts.flush()
    }
    store.close()
    edit(sql)
    const changed = open()
    const opens = (read: () => unknown): boolean => {
      try {
        return read() !== null
      } catch (error) {
        expect(error).toEqual(damaged)
        return false
      }
    }
    expect(ids.filter((id) => opens(() => changed.receipts.get(id)))).toHaveLength(4 - refused)
    for (const read of [
      () => changed.receipts.list(10),
      () => changed.receipts.between(0, Number.MAX_SAFE_INTEGER, 10),
      () => changed.receipts.listOfKeys({ keyId: 'key-1', limit: 10 }),
    ])
      expect(read).toThrow(damaged)
    changed.close()
  })

  test.each(["x''", "x'00'", 'zeroblob(28)', 'zeroblob(1000)'])('is no content: %s', (blob) => {
    const store = open()
    store.settings.set('profile', 'x')
    store.close()
    edit(`UPDATE settings SET body = ${blob}`)
    const changed = open()
    expect(() => changed.settings.get('profile')).toThrow(damaged)
    changed.close()
  })
})

describe('a file that cannot be opened is left as it is', () => {
  function refused(code: string, key = KEY): void {
    const before = readFileSync(path())
    expect(() => open(key)).toThrow(expect.objectContaining({ code }))
    expect(readFileSync(path()).equals(before)).toBe(true)
  }

  test('another key', () => {
    const store = open()
    fill(store)
    store.close()
    refused('store/damaged', OTHER_KEY)
    const again = open()
    expect(again.settings.get('profile')).toBe('canary-profile')
    again.close()
  })

  test('a newer schema, whatever its key', () => {
    open().close()
    edit(`PRAGMA user_version = ${String(migrations.length + 1)}`)
    refused('store/newer-version')
    refused('store/newer-version', OTHER_KEY)
    edit('DROP TABLE data_key; PRAGMA user_version = 9999')
    refused('store/newer-version')
  })

  test('no database, another program’s, one whose key is gone', () => {
    open().close()
    const whole = readFileSync(path())
    writeFileSync(path(), 'This is a text and has been one for longer than a page.'.repeat(100))
    refused('store/damaged')
    writeFileSync(path(), whole)
    edit('PRAGMA application_id = 1')
    refused('store/damaged')
    writeFileSync(path(), whole)
    edit('DELETE FROM data_key')
    refused('store/damaged')
    rmSync(path())
    edit('CREATE TABLE t (x)')
    refused('store/damaged')
  })

  test('a truncated one', () => {
    const store = open()
    fill(store)
    store.close()
    writeFileSync(path(), readFileSync(path()).subarray(0, 5_000))
    refused('store/damaged')
  })

  test('damage anywhere is refused with its code or changes nothing', () => {
    const store = open()
    const { conversationId } = fill(store)
    store.close()
    const whole = readFileSync(path())
    const read = () => {
      const changed = open()
      try {
        // The content of requests is read only on access.
        return structuredClone([
          changed.conversations.list(),
          changed.messages.of(conversationId),
          changed.receipts.list(10),
          changed.localKeys.list(),
          changed.settings.get('profile'),
          changed.payments.list(10),
          changed.payments.paidHosts(),
          changed.topups.list(),
        ])
      } finally {
        changed.close()
      }
    }
    const good = read()
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(whole)
        bytes.writeUInt8(bytes.readUInt8(at) ^ change, at)
        writeFileSync(path(), bytes)
        let seen: unknown
        try {
          seen = read()
        } catch (error) {
          // Byte 18 is the version for writing: if it names another version, SQLite only reads
          // (sqlite.org/fileformat.html).
          expect(error).toMatchObject({
            code: expect.stringMatching(
              at === 18 ? /^store\/unwritable$/ : /^store\/(damaged|newer|schema-changed)$/,
            ) as string,
          })
          return
        }
        // IDs and times are plain, and an index that lost a row finds nothing. No word of the content differs.
        const canaryWords = new Set(asText(good).match(/canary[^"\\]*/g))
        for (const word of asText(seen).match(/canary[^"\\]*/g) ?? []) expect(canaryWords).toContain(word)
      }),
      { numRuns: 150, examples: [[18, 1]] },
    )
  })
})
