PRAGMA page_size=16384;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE columns(task INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, is_share INTEGER NOT NULL,
                     higher_is_better INTEGER NOT NULL, chance REAL, has_breakdown INTEGER NOT NULL,
                     PRIMARY KEY(task, place));
INSERT INTO "columns" VALUES(0,0,'P',1,1,0.5,0);
INSERT INTO "columns" VALUES(0,1,'T',1,1,NULL,0);
INSERT INTO "columns" VALUES(0,2,'PT',1,1,NULL,0);
CREATE TABLE parts(task INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL, num_items INTEGER NOT NULL,
                   PRIMARY KEY(task, part));
INSERT INTO "parts" VALUES(0,0,'relations',8);
CREATE TABLE samples(id INTEGER PRIMARY KEY, part INTEGER NOT NULL, item TEXT NOT NULL, cluster TEXT NOT NULL,
                     category TEXT NOT NULL, status TEXT NOT NULL, scores TEXT, outcome TEXT, ties INTEGER,
                     correct INTEGER, margin REAL, detail TEXT, error TEXT, micros INTEGER NOT NULL);
INSERT INTO "samples" VALUES(0,0,'relations/0','something-something-v2/0@-','','scored','[]','[0.0,1.0,0.0]',0,0,-1.079999999999999849e-01,'{"foils": 1, "prof_foils": 1, "prof": [0.677, 0.785], "main": [0.202, 0.071]}',NULL,1469);
INSERT INTO "samples" VALUES(1,0,'relations/1','something-something-v2/0@-','','scored','[]','[1.0,0.0,0.0]',0,0,-0.339,'{"foils": 2, "prof_foils": 1, "prof": [0.52, 0.511], "main": [0.203, 0.542, 0.389]}',NULL,5);
INSERT INTO "samples" VALUES(2,0,'relations/2','something-something-v2/1@-','','scored','[]','[0.0,0.0,0.0]',0,0,-0.603,'{"foils": 1, "prof_foils": 1, "prof": [0.394, 0.997], "main": [0.733, 0.803]}',NULL,1);
INSERT INTO "samples" VALUES(3,0,'relations/3','something-something-v2/1@-','','scored','[]','[1.0,0.0,0.0]',0,0,-0.314,'{"foils": 2, "prof_foils": 1, "prof": [0.289, 0.148], "main": [0.414, 0.099, 0.728]}',NULL,1);
INSERT INTO "samples" VALUES(4,0,'relations/4','something-something-v2/2@-','','scored','[]','[1.0,1.0,1.0]',0,1,1.00000000000000088817e-03,'{"foils": 1, "prof_foils": 1, "prof": [0.261, 0.26], "main": [0.756, 0.396]}',NULL,18);
INSERT INTO "samples" VALUES(5,0,'relations/5','something-something-v2/2@-','','scored','[]','[1.0,0.0,0.0]',0,0,-0.257,'{"foils": 2, "prof_foils": 1, "prof": [0.327, 0.268], "main": [0.658, 0.299, 0.915]}',NULL,1);
INSERT INTO "samples" VALUES(6,0,'relations/6','something-something-v2/3@-','','scored','[]','[0.0,1.0,0.0]',0,0,-2.17000000000000026201e-01,'{"foils": 1, "prof_foils": 1, "prof": [0.108, 0.325], "main": [0.834, 0.792]}',NULL,1);
INSERT INTO "samples" VALUES(7,0,'relations/7','something-something-v2/3@-','','scored','[]','[0.0,1.0,0.0]',0,0,-2.57999999999999951594e-01,'{"foils": 2, "prof_foils": 1, "prof": [0.311, 0.569], "main": [0.954, 0.233, 0.545]}',NULL,0);
CREATE TABLE tasks(task INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "tasks" VALUES(0,'vilma');
COMMIT;
