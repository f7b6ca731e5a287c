// Reads the documents of tools/wire_schemas.py and writes the types of the page to
// frontend/core/generated. With --check it writes nothing and fails if a file is out of date.
import { readFile, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import openapiTS, { astToString } from 'openapi-typescript'

const FOLDER = new URL('../frontend/core/generated/', import.meta.url)
const HEAD = '// Generated from the schemas of the server by `make wire-types`. Do not edit.\n'
const OPTIONS = {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  defaultNonNullable: false,
  alphabetize: true,
  silent: true,
}

const documents = JSON.parse(await text(process.stdin))
const outdated = []
for (const [name, document] of Object.entries(documents)) {
  const file = new URL(`${name}.ts`, FOLDER)
  const types = HEAD + astToString(await openapiTS(document, OPTIONS))
  if (types === (await readFile(file, 'utf8').catch(() => ''))) continue
  outdated.push(`${name}.ts`)
  if (!process.argv.includes('--check')) await writeFile(file, types)
}
if (process.argv.includes('--check') && outdated.length) {
  console.error(`Out of date in frontend/core/generated: ${outdated.join(', ')}. Run \`make wire-types\`.`)
  process.exit(1)
}
