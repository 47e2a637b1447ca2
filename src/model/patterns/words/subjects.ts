import { wordsWithin } from './normal.ts';

/** What a window, a page or a field is about, in the languages of answers.ts. */
export const isAboutSettings = wordsWithin(
  'settings|preferences|options|configure|configuration|einstellungen|optionen|konfiguration|konfigurieren|einrichten|préférences|paramètres|réglages|configurer|preferencias|configuración|ajustes|opciones|configurar|preferenze|impostazioni|opzioni|configura|preferências|configurações|definições|opções|voorkeuren|instellingen|opties|configureren|preferencje|ustawienia|opcje|konfiguruj|настройки|настройка|параметры|настроить|设置|設置|設定|首选项|偏好|选项|選項|環境設定|オプション|構成',
);

export const isAboutSearch = wordsWithin(
  'search|filter|find|suche|suchen|durchsuchen|filtern|finden|recherch|rechercher|chercher|filtrer|trouver|buscar|búsqueda|filtrar|encontrar|cerca|ricerca|filtra|trova|pesquisar|procurar|busca|zoek|zoeken|filteren|szukaj|wyszukaj|filtruj|znajdź|поиск|найти|искать|фильтр|搜索|搜寻|搜尋|查找|筛选|篩選|過濾|检索|検索|絞り込み|フィルタ',
);

/** The field of a browser says that it takes addresses, whatever else it takes. */
export const isAboutAddress = wordsWithin(
  'address|url|adresse|dirección|indirizzo|endereço|adres|адрес|地址|网址|網址|アドレス',
);

/** Said of a password that is chosen, not asked for. */
export const isAboutNewPassword = wordsWithin(
  'new password|confirm|repeat|retype|again|neues|bestätigen|wiederholen|nouveau|confirmer|nueva|confirmar|repetir|nuova|conferma|ripeti|nova senha|repita|nieuw|bevestig|herhaal|nowe|potwierdź|powtórz|новый|подтвер|повтор|新密码|确认|新密碼|確認|新しいパスワード|再入力',
);

export const isAboutFailure = wordsWithin(
  "error|fail|could not|couldn't|cannot|can't|can not|unable to|invalid|denied|refused|rejected|not supported|corrupt|wrong|does not exist|not found|fehler|fehlgeschlagen|gescheitert|konnte nicht|konnten nicht|kann nicht|ungültig|nicht möglich|verweigert|beschädigt|erreur|échec|échoué|impossible|invalide|introuvable|refusé|falló|fallo|fallido|no se pudo|no se puede|no es posible|inválid|imposible|denegado|errore|fallit|impossibile|non riuscit|non valid|negato|erro|falhou|falha|não foi possível|não é possível|negado|fout|mislukt|kon niet|kan niet|ongeldig|geweigerd|błąd|nie udało|nie można|nieprawidłow|odmowa|ошибка|не удалось|невозможно|сбой|недопустим|отказано|错误|失败|无法|無法|錯誤|失敗|无效|無效|エラー|できません|できませんでした|無効",
);

/** What cannot be undone is a warning, not a failure. */
export const isWarningOfLoss = wordsWithin(
  "cannot be undone|can't be undone|can not be undone|cannot be restored|cannot be recovered|nicht rückgängig|irréversible|no se puede deshacer|non può essere annullat|não pode ser desfeit|niet ongedaan|nie można cofnąć|нельзя отменить|无法撤消|无法撤销|無法復原|元に戻せません|取り消せません",
);

export const isQuestion = (text: string): boolean => /[?？]/u.test(text);

export const isWriting = wordsWithin(
  'save|export|store|speicher|export|enregistr|export|guardar|exportar|salva|esporta|salvar|gravar|opslaan|bewaar|zapis|eksport|сохран|экспорт|保存|另存|儲存|存储|导出|書き出|出力',
);
