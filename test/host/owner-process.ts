// Tries to own the folder at every line on stdin, answers `owner` or `none`, and stays until it is killed.
import { createInterface } from 'node:readline'
import { DataFolder } from '../../src/host/data-folder.ts'
import { acquireOwnership } from '../../src/host/owner-socket.ts'

process.stdout.write('ready\n')
for await (const _ of createInterface(process.stdin)) {
  const ownership = acquireOwnership(await DataFolder.check(process.argv[2] ?? ''))
  process.stdout.write(ownership ? 'owner\n' : 'none\n')
}
