/* SPDX-License-Identifier: MIT
 *
 * What participants read: the questions of the published study as sentences in both languages, the questions
 * about the participants, and the consent text of a study without its own.
 */
#include "study/study.h"

const char *const study_language_names[STUDY_LANGUAGES] = {"en", "ja"};

/* Section 6.1 (3) of the map paper: 「人間がデザインしたと思うか」「戦略を考える甲斐があるか等の観点により、
 * 遊びごたえを感じたか」, on five steps. The ends of the scale have no names there; these are ours. */
const struct study_question_text study_questions[STUDY_QUESTIONS] = {
    [STUDY_HANDMADE] = {"handmade",
                        {{"Do you think that a person designed this map?",
                          "このマップは人間がデザインしたと思いますか。"}},
                        {{"certainly not", "まったくそう思わない"}},
                        {{"certainly", "とてもそう思う"}}},
    [STUDY_FUN] = {"fun",
                   {{"Was it rewarding to play, for example because thinking about strategy was worth it?",
                     "戦略を考える甲斐があるかなどの観点から、遊びごたえを感じましたか。"}},
                   {{"not at all", "まったく感じなかった"}},
                   {{"very much", "とても感じた"}}},
};

/* The paper distinguishes 20 hours a month or more from less than one, and no title from one or two and from
 * four or more. */
const struct study_about_text study_about[STUDY_ABOUT] = {
    {"hours",
     {{"How many hours a month do you play video games?", "ゲームを月に何時間くらいしますか。"}},
     {{"0", {{"less than 1", "1時間未満"}}},
      {"1", {{"1 to 19", "1〜19時間"}}},
      {"20", {{"20 or more", "20時間以上"}}}}},
    {"titles",
     {{"How many turn-based strategy games have you played?",
       "これまでに遊んだターン制ストラテジーゲームは何タイトルですか。"}},
     {{"0", {{"none", "なし"}}},
      {"1", {{"1 or 2", "1〜2タイトル"}}},
      {"3", {{"3", "3タイトル"}}},
      {"4", {{"4 or more", "4タイトル以上"}}}}},
};

const struct study_texts study_default_consent = {
    {"In this study you play a turn-based strategy game on several maps against the computer, at least once "
     "from "
     "each side, and answer two questions about each map. It is about the maps, not about you: you are "
     "not tested.\n\n"
     "Taking part is voluntary. You can stop at any time by closing the page, and continue later with the "
     "same "
     "link. You can ask the person who gave you the link to delete everything that is stored about you; then "
     "it "
     "is removed.\n\n"
     "Stored are your games, ratings and comments, the language you chose, and what you say about yourself "
     "below. A name is not needed. Your network address is not stored. The results may be published in a "
     "form "
     "that does not identify you.",
     "この調査では、ターン制ストラテジーゲームをいくつかのマップでコンピュータを相手に、先手と後手の両方で少"
     "なくとも1回ずつ"
     "遊び、各マップについて2つの質問に答えていただきます。調べるのはマップであり、あなたを試験するものではあ"
     "りません。\n\n"
     "参加は自由です。ページを閉じればいつでもやめられ、同じリンクで後から続きを行えます。リンクを渡した人に"
     "頼めば、"
     "あなたについて保存されたものはすべて削除されます。\n\n"
     "保存されるのは、対局、評価、コメント、選んだ言語、下でお答えいただいた内容です。名前は必要ありません。"
     "ネットワークアドレスは保存されません。結果は、個人が特定されない形で公表されることがあります。"}};
