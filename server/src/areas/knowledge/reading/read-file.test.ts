import { deflateSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pdfOf, workbookParts, zipOf } from '../../../../test/office-files.ts'
import { readFile } from './read-file.ts'
import { MIME_TYPES } from './reading.ts'

const SLOW = 120_000
const read = async (mimeType: (typeof MIME_TYPES)[keyof typeof MIME_TYPES], bytes: Buffer) =>
  readFile({ bytes: new Uint8Array(bytes), mimeType }, { deadlineMs: SLOW })
const ruleTexts = (entries: { kind: string; content: string }[]) =>
  entries.filter(({ kind }) => kind === 'rule').map(({ content }) => content)

test('a pdf is read with its larger lines as headings', { timeout: SLOW }, async () => {
  const pdf = pdfOf([
    { text: 'Refunds', size: 20 },
    { text: 'Refunds over 100 euros need a manager.' },
    { text: '- Keep every receipt for ten years.' },
  ])
  const { markdown, entries } = await read(MIME_TYPES.pdf, pdf)
  expect(markdown).toContain('## Refunds')
  expect(ruleTexts(entries)).toEqual(['Refunds over 100 euros need a manager.', 'Keep every receipt for ten years.'])
})

test('the close lines of a pdf are a paragraph, and a wider gap ends it', { timeout: SLOW }, async () => {
  const pdf = pdfOf([
    { text: 'Refunds', size: 20 },
    { text: 'Refunds over 100 euros' },
    { text: 'need a manager.', spacing: 1.2 },
    { text: 'Ask before you buy.' },
  ])
  const { entries } = await read(MIME_TYPES.pdf, pdf)
  expect(ruleTexts(entries)).toEqual(['Refunds over 100 euros need a manager.', 'Ask before you buy.'])
})

test('the rows of a workbook and of a csv file are rules that name their columns', { timeout: SLOW }, async () => {
  const rows = [
    ['Rule', 'Limit'],
    ['Travel by train', '300 km'],
  ]
  const workbook = await read(MIME_TYPES.xlsx, zipOf(workbookParts(rows)))
  expect(workbook.markdown).toContain('## Rules')
  expect(ruleTexts(workbook.entries)).toEqual(['Rule: Travel by train; Limit: 300 km'])
  const csv = await read(MIME_TYPES.csv, Buffer.from('Rule;Limit\n"Travel; by train";300 km\n'))
  expect(ruleTexts(csv.entries)).toEqual(['Rule: Travel; by train; Limit: 300 km'])
  expect(csv.usedRawFallback).toBe(false)
  const told = await read(
    MIME_TYPES.csv,
    Buffer.from('\ufeffsep=;\r\nRegel;Größe\r\nLogo, scharf;300 px\r\n', 'utf16le'),
  )
  expect(ruleTexts(told.entries)).toEqual(['Regel: Logo, scharf; Größe: 300 px'])
})

test('a date of a workbook is read as one, and other numbers are as they are', { timeout: SLOW }, async () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/>
    <numFmt numFmtId="166" formatCode="[h]:mm"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;days&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="9"/><xf numFmtId="166"/></cellXfs></styleSheet>`
  const cells = [0, 1, 2, 3].map((style) => `<c s="${style}"><v>45500</v></c>`).join('')
  const more =
    '<c s="4"><v>45500.75</v></c><c s="4"><v>0.5</v></c><c s="5"><v>0.5</v></c><c s="1"><v>-3</v></c><c s="1"/><c s="6"><v>1.5</v></c>'
  const parts: Record<string, string> = {
    ...workbookParts([]),
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${cells}${more}</row></sheetData></worksheet>`,
  }
  expect(ruleTexts((await read(MIME_TYPES.xlsx, zipOf(parts))).entries)).toEqual([
    '45500; 2024-07-27; 2024-07-27; 45500; 2024-07-27 18:00; 12:00; 0.5; -3; 1.5',
  ])
  const workbook = String(parts['xl/workbook.xml']).replace('<sheets', '<workbookPr date1904="1"/><sheets')
  const from1904 = { ...parts, 'xl/workbook.xml': workbook }
  expect(ruleTexts((await read(MIME_TYPES.xlsx, zipOf(from1904))).entries)[0]).toContain('2028-07-28')
  const broken = { ...parts, 'xl/styles.xml': '<styleSheet><cellXfs>' }
  expect(ruleTexts((await read(MIME_TYPES.xlsx, zipOf(broken))).entries)[0]).toContain('45500; 45500')
})

test('each sheet of a workbook stands below its own name, in the order of the tabs', { timeout: SLOW }, async () => {
  const sheet = (text: string) =>
    `<worksheet><sheetData><row><c t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`
  const { markdown } = await read(
    MIME_TYPES.xlsx,
    zipOf({
      ...workbookParts([]),
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Travel" r:id="rId7"/><sheet name="Gifts" r:id="rId2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId2" Target="worksheets/sheet1.xml"/><Relationship Id="rId7" Target="/xl/worksheets/sheet3.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': sheet('No gifts.'),
      'xl/worksheets/sheet3.xml': sheet('Go by train.'),
    }),
  )
  expect(markdown.match(/## .*|No gifts|Go by train/g)).toEqual(['## Travel', 'Go by train', '## Gifts', 'No gifts'])
})

test('a workbook is read as Excel writes it: shared and formatted texts, truth values, gaps and cells without a place', {
  timeout: SLOW,
}, async () => {
  const shared =
    '<sst><si><t>Rule</t></si><si><r><t>Photos are </t></r><r><t>sharp</t></r><rPh><t>フォト</t></rPh></si></sst>'
  const rows = [
    '<c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Limit</t></is></c>',
    '<c r="A2" t="s"><v>1</v></c><c r="C2" t="b"><v>1</v></c>',
    '<c t="s"><v>1</v></c><c t="e"><v>#REF!</v></c><c><v>5</v></c>',
  ]
  const sheet = `<worksheet><sheetData>${rows.map((row) => `<row>${row}</row>`).join('')}</sheetData></worksheet>`
  const { entries } = await read(
    MIME_TYPES.xlsx,
    zipOf({ ...workbookParts([]), 'xl/sharedStrings.xml': shared, 'xl/worksheets/sheet1.xml': sheet }),
  )
  expect(ruleTexts(entries)).toEqual(['Rule: Photos are sharp; Limit: yes', 'Rule: Photos are sharp; Limit: 5'])
})

test.each([
  ['UTF-8', Buffer.from('- Größe 300 px')],
  ['UTF-16, the high byte first', Buffer.from('\ufeff- Größe 300 px', 'utf16le').swap16()],
  ['an old Windows program', Buffer.from('- Größe 300 px', 'latin1')],
])('a text in the encoding of %s is read', { timeout: SLOW }, async (_, bytes) => {
  expect(ruleTexts((await read(MIME_TYPES.text, bytes)).entries)).toEqual(['Größe 300 px'])
})

test('what claims to inflate too far, and what inflates further than it claims, is refused', {
  timeout: SLOW,
}, async () => {
  const sheet = Buffer.alloc(140 * 1024 * 1024, 0x20)
  const bomb = { ...workbookParts([]), 'xl/worksheets/sheet1.xml': sheet }
  await expect(read(MIME_TYPES.xlsx, zipOf(bomb))).rejects.toMatchObject({ reason: 'file-too-large' })
  await expect(read(MIME_TYPES.xlsx, zipOf(bomb, 1_000))).rejects.toMatchObject({ reason: 'file-unreadable' })
})

test('a pdf whose page inflates without end is given up, and the process lives on', { timeout: SLOW }, async () => {
  const stream = deflateSync(Buffer.alloc(400 * 1024 * 1024, 0x20))
  const head = Buffer.from(
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>\nendobj\n' +
      `4 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`,
  )
  const pdf = Buffer.concat([head, stream, Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF')])
  const limits = { deadlineMs: 60_000, growthMb: 200 }
  await expect(readFile({ bytes: new Uint8Array(pdf), mimeType: MIME_TYPES.pdf }, limits)).rejects.toMatchObject({
    reason: expect.stringMatching(/^(file-too-large|reading-timed-out)$/),
  })
})

test('a file that takes too long is given up', async () => {
  const file = { bytes: new Uint8Array(Buffer.from('- x')), mimeType: MIME_TYPES.text }
  await expect(readFile(file, { deadlineMs: 1 })).rejects.toMatchObject({ reason: 'reading-timed-out' })
})

test('a process that cannot tell its size, because it may open no more files, reads on', {
  timeout: SLOW,
}, async () => {
  const size = process.memoryUsage.rss()
  const told = vi.spyOn(process.memoryUsage, 'rss').mockReturnValueOnce(size)
  told.mockImplementation(() => {
    throw new Error('EMFILE: too many open files, uv_resident_set_memory')
  })
  onTestFinished(() => told.mockRestore())
  const { entries } = await read(MIME_TYPES.text, Buffer.from('- Every logo must be sharp.'))
  expect(ruleTexts(entries)).toEqual(['Every logo must be sharp.'])
  expect(told.mock.calls.length).toBeGreaterThan(1)
})

test('broken and foreign bytes say why they are refused', { timeout: SLOW }, async () => {
  await expect(read(MIME_TYPES.pdf, Buffer.from('%PDF-1.4 nothing'))).rejects.toMatchObject({
    reason: 'file-unreadable',
  })
  await expect(read(MIME_TYPES.xlsx, zipOf({ 'word/document.xml': '<x/>' }))).rejects.toMatchObject({
    reason: 'unsupported-mime-detected-post-validation',
  })
  await expect(read(MIME_TYPES.text, Buffer.from(`text\n${'x'.repeat(2 * 1024 * 1024)}`))).rejects.toMatchObject({
    reason: 'file-too-large',
  })
})
