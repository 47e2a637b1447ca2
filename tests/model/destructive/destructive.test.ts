import { describe, expect, it } from 'vitest';
import { whyDestructive, whyDestructiveCommand } from '../../../src/model/destructive/destructive-act.ts';
import { isDestructiveName } from '../../../src/model/destructive/words.ts';

const HITS: Readonly<Record<string, readonly string[]>> = {
  English: [
    'Delete',
    '_Delete…',
    'Delete All Data',
    'Remove account',
    "Don't Save",
    'Don’t Save',
    'Discard changes',
    'Erase',
    'Format',
    'Reset',
    'Uninstall',
    'Send',
    'Pay now',
    'Buy now',
    'Place order',
    'Overwrite',
    'Move to Trash',
    'Empty Trash',
    'Confirm delete',
    'DELETE',
    'Force Quit',
    'Close without Saving',
    'Place your order',
    'Confirm and pay',
    'Pay $12.00',
    'Buy now for €5',
    'Send (Ctrl-Enter)',
    'Send \u202A(Ctrl+Enter)\u202C',
    'De\u00ADlete',
    'Empty Wastebasket',
    'Move to Rubbish Bin',
  ],
  German: [
    '12,00 € bezahlen',
    'Jetzt kostenpflichtig bestellen',
    'Löschen',
    'Datei löschen',
    'Verwerfen',
    'Nicht speichern',
    'Senden',
    'Formatieren',
    'Zahlungspflichtig bestellen',
    'Papierkorb leeren',
    'Überschreiben',
    'Schließen _ohne zu speichern',
    '_Laufwerk formatieren …',
    '_Chronik leeren',
  ],
  French: [
    'Supprimer',
    'Supprimer le fichier',
    'Ne pas enregistrer',
    'Envoyer',
    'Effacer',
    'Vider la corbeille',
    'Payer',
    '_Enlever',
    'A_bandonner…',
    '_Vider l’historique',
  ],
  Spanish: ['Eliminar', 'Borrar todo', 'No guardar', 'Enviar', 'Descartar cambios', 'Comprar'],
  Italian: [
    'Elimina',
    'Non salvare',
    'Invia',
    'Svuota il cestino',
    'Rimuovi',
    '_Cancella pennello',
    'Formatta _disco…',
  ],
  Portuguese: ['Excluir', 'Apagar', 'Não salvar', 'Remover conta', 'Comprar agora'],
  Dutch: ['Verwijderen', 'Bestand verwijderen', 'Niet opslaan', 'Verzenden', 'Prullenbak legen'],
  Polish: ['Usuń', 'Usuń plik', 'Nie zapisuj', 'Wyślij', 'Odrzuć zmiany', 'Kup teraz'],
  Russian: ['Удалить', 'Удалить файл', 'Не сохранять', 'Отправить', 'Очистить корзину', 'Купить'],
  Chinese: [
    '删除',
    '删除文件',
    '清空废纸篓',
    '刪除',
    '不保存',
    '发送',
    '清空回收站',
    '格式化',
    '付款',
    '从工具栏中删除(_R)',
    '移动到回收站(_M)',
    '关闭且不保存(_W)',
  ],
  Japanese: [
    '削除',
    'ファイルを削除',
    '保存しない',
    '送信',
    '破棄',
    '初期化',
    '購入',
    'グループの削除(_D)',
    'ゴミ箱へ移動(_M)',
  ],
};

const MISSES = [
  'Deleted items',
  'Subscribe',
  'Donate',
  '_Ordina',
  '_Ripristina',
  'He_rstellen',
  '删除线(_S)',
  'Zellen _formatieren …',
  'Format cells',
  'Format painter',
  'Send feedback settings',
  'Send to back',
  'Send 3',
  'Buy and sell',
  'Price for $5',
  'Orders ($12.00)',
  'Sent (Ctrl-Enter)',
  'Reset zoom',
  'Undelete',
  'Save',
  'OK',
  'Cancel',
  'Open',
  'Close',
  "Don't delete",
  'Do not delete',
  'Payment history',
  'Buyers',
  'Sender',
  'Deletion policy',
  'Erasers',
  'Resetting',
  '',
  'Nicht löschen',
  'Gelöschte Elemente',
  'Löschvorgang',
  'Formatvorlage',
  'Sendungen',
  'Abbrechen',
  'Speichern',
  'Éléments supprimés',
  'Ne pas supprimer',
  'Annuler',
  'Elementos eliminados',
  'No eliminar',
  'Guardar',
  'Annulla',
  'Elementi eliminati',
  'Non eliminare',
  'Itens excluídos',
  'Não excluir',
  'Salvar',
  'Verwijderde items',
  'Niet verwijderen',
  'Opslaan',
  'Usunięte',
  'Nie usuwaj',
  'Zapisz',
  'Удалённые',
  'Не удалять',
  'Сохранить',
  '已删除',
  '不删除',
  '保存',
  '取消',
  '削除しない',
  '削除済みアイテム一覧表示',
  'キャンセル',
];

describe('a destructive name', () => {
  it.each(Object.entries(HITS))('is known in %s', (_, names) => {
    expect(names.filter((name) => !isDestructiveName(name))).toEqual([]);
  });

  it('is no name that only contains or resembles one', () => {
    expect(MISSES.filter((name) => isDestructiveName(name))).toEqual([]);
  });

  it('is found in bounded time, whatever an application calls its button', () => {
    const started = performance.now();
    for (const name of ['delete '.repeat(50_000), 'x'.repeat(1_000_000), '\u{202E}'.repeat(100_000)])
      isDestructiveName(name);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('a destructive act', () => {
  const act = (more: object) => whyDestructive({ act: 'click', role: 'button', name: 'Delete', ...more });

  it('presses what is called so', () => {
    expect(act({})).toContain('its name');
    expect(act({ role: 'menuitem', name: 'Delete…' })).toContain('its name');
    expect(act({ name: '', description: 'Delete' })).toContain('its description');
  });

  it('is none that opens a menu of a menu bar which is called as an act', () => {
    const item = (container: 'menubar' | 'menu', name = 'F&ormat') =>
      act({ role: 'menuitem', name, container });
    expect(item('menubar')).toBeUndefined();
    expect(item('menu')).toContain('its name');
    expect(item('menubar', 'Delete')).toContain('its name');
  });

  it('is none that looks, chooses or writes', () => {
    expect(act({ act: 'hover' })).toBeUndefined();
    expect(act({ act: 'set-value', role: 'textbox' })).toBeUndefined();
    expect(act({ role: 'treeitem' })).toBeUndefined();
    expect(act({ name: 'Keep', description: 'Delete' })).toBeUndefined();
  });

  it('is killing a process, not asking it to quit', () => {
    expect(whyDestructiveCommand('close-app', { force: true })).toContain('unsaved work');
    expect(whyDestructiveCommand('close-app', { force: false })).toBeUndefined();
    expect(whyDestructiveCommand('session kill', {})).toBeUndefined();
  });
});
